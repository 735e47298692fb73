/** What each parameter of a path is, where its schema has no description. */
export const pathParameters: Readonly<Record<string, string>> = {
  orgId: 'The ID of the organization',
  userId: 'The ID of the member’s account',
  invitationId: 'The ID of the invitation',
  configId: 'The ID of the configuration',
  testId: 'The ID of the test sign-in',
  domain: 'The email domain',
  dashboardId: 'The ID of the dashboard',
  reportId: 'The ID of the report',
  parameter: 'The name of the parameter',
  dataSourceId: 'The ID of the data source',
  table: 'The name of the table',
  id: 'The ID of the dashboard or report in the trash',
};
