/** The text for the person who opens the archive. */
export const readmeOf = (organization: string, exportedAt: string): string => `Data of ${organization}
Exported from Atrium at ${exportedAt}

manifest.json    The size and the SHA-256 of each file. It is the last file: if it is missing, the archive is incomplete.
tables/          What Atrium has stored, a file for each kind of thing, a JSON object per line. In their IDs, they refer to each other.
                 What is in the trash has the time in deleted_at.
as-code/         Dashboards, reports, data sources, descriptions of tables, members and single sign-on, as files that
                 "atrium push" creates in another organization. Passwords are not in them: each has the name of an environment
                 variable instead. docs/command-line.md describes the format.
uploads/         The uploaded tables: a folder for each data source, a DuckDB database with one table in each file.
                 With DuckDB, "duckdb FILE" opens one, and COPY writes it as CSV or Parquet.
images/          Uploaded images, by the hash that dashboards refer to, and the logo.
logs/            The audit log and the data-access log with their hash chains. access-open.ndjson has counts that were not in
                 the chain yet; some may be in access.ndjson as well.
access-review    Who may do what, and why.

There are no passwords, keys, tokens or other secrets in this archive, and no personal dashboards of members.
What was changed during the export can be in it as it was before or after the change.
Cells of tables are as they were uploaded: a spreadsheet may run a text that starts with = as a formula.
`;
