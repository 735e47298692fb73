/** The groups of operations, in the order of the document, with what each is about. */
export const tags = {
  Sessions: 'Signing in and out, and the sessions of your account.',
  Account: 'Your name and password.',
  Tokens: 'Personal tokens and service accounts, with which programs call the API.',
  Organizations: 'The organizations on this server, and what happened in them.',
  Members: 'The people in an organization, and their roles.',
  Invitations: 'How people become members.',
  'Single sign-on':
    'The directory through which members sign in: its configuration, domains, policy and tests.',
  'Sign-in through the directory': 'What a browser does to sign in through the directory of an organization.',
  Dashboards: 'Dashboards, their widgets, and the results that they show.',
  'Dashboard history': 'The versions of a dashboard.',
  Comments: 'Comments on dashboards, their widgets and values.',
  'Wall displays': 'Links that show one dashboard without a session.',
  Sharing: 'Who can see, use and edit dashboards, reports and data sources.',
  Folders: 'Folders of dashboards and reports, which pass on who has access.',
  Trash: 'Deleted dashboards and reports, which can be restored for 30 days.',
  'Dashboards as code': 'Dashboards and reports as documents, for version control and to copy them.',
  'Data sources': 'Uploaded tables and database servers, which reports query.',
  Images: 'Images that dashboards show.',
  Models: 'Display names, formats, keys, dimensions and measures of tables.',
  Reports: 'Queries of a data source, with their parameters and visualization.',
  Explore:
    'The distribution of every column of a table or of a report’s result, and of the rows that are selected.',
  'Report history': 'The versions of a report.',
  Proposals: 'Reports, dashboards and changes that programs propose and people accept.',
  Webhooks: 'Signed requests to your URLs when something happens in an organization.',
  Server: 'The state of the server, and its first start.',
} as const;

export type Tag = keyof typeof tags;
