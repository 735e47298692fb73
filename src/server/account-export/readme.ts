/** What the archive of an account has in it, for the person who opens it. */
export const readme = `This archive has the data of your Atrium account. Times are in UTC.

Each line of an .ndjson file is one entry as JSON; any text editor opens it.

account.json                 your account: address, name, authenticator app
memberships.ndjson           the organizations you are a member of, with your role
sessions.ndjson              where you are signed in
passkeys.ndjson              your passkeys, without their keys
tokens.ndjson                your tokens, and the programs that you have given access
directory-identities.ndjson  your accounts at identity providers
invitations.ndjson           the invitations that you have created
personal-dashboards.ndjson   your dashboards outside of organizations, with their content
dashboards.ndjson            the dashboards that you own in organizations, with their content
reports.ndjson               the reports that you own, with their queries
folders.ndjson               the folders that you own
data-sources.ndjson          the data sources that you own, by name
comments.ndjson              the comments that you wrote
stars.ndjson, visits.ndjson  dashboards that you starred, and that you opened last
audit-log.ndjson             what you did, by the audit logs of your organizations
access-log.ndjson            what you read, by their data-access logs
manifest.json                the size and the SHA-256 of each file

There are no passwords, tokens or other secrets in it. The tables of data sources and the results of reports are data of the
organization, so they are not in it, and neither is anything of organizations that you could not open when you made this archive.
`;
