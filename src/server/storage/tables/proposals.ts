/** The tables of proposals. */
export interface ProposalTables {
  proposals: {
    id: string;
    organization_id: string;
    kind: string;
    /** The record to change, or the ID that a new one gets; it isn't a reference, since the record may not exist. */
    record_id: string;
    /** Null if a new record is proposed. */
    base_version: number | null;
    /** That of the content. */
    name: string;
    /** The JSON of the content of the record. */
    content: string;
    summary: string;
    created_by: string;
    /** The name of the token that it was made with; null for a person. */
    program: string | null;
    /** The only person who may decide it; null for all people who may make the change themselves. */
    addressee_id: string | null;
    status: string;
    decided_by: string | null;
    decided_at: string | null;
    created_at: string;
    expires_at: string;
  };
  /** The versions that were accepted from a proposal, each of a dashboard or of a report. */
  proposed_versions: {
    dashboard_id: string | null;
    report_id: string | null;
    version: number;
    /** The proposer. */
    user_id: string;
    program: string | null;
  };
}
