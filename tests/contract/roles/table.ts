import assert from 'node:assert/strict';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';

/**
 * The status that each route returns to each kind of session, for a valid request about one organization or its people:
 *
 * - `none` sends no cookie, `expired` that of an owner whose session has expired;
 * - `viewer` to `owner` are its members, with unlimited sessions;
 * - `other` owns another organization;
 * - `sso` is its owner, with a session obtained through its identity provider;
 * - `sso-other` is its owner, with a session obtained through the identity provider of another organization;
 * - `token` is a personal token of its owner with every scope except `scim`, `read-token` one with only the scope `read`;
 * - `service` is a service account with the role admin and a token with the same scopes;
 * - `code` and `device` are access tokens of the command line with the same scopes, which the owner has authorized by a code or on a device;
 * - `client` is an access token with the same scopes, which a service account with the role admin has by client credentials.
 *
 * The owner operates the server, with an unlimited session.
 *
 * Everyone can download a logo whose random ID they know.
 *
 * Anyone can sign in: the person is identified by an email address, a code or the directory, not by a session.
 */
export const table = `
                                                                  none expired viewer editor admin owner other sso sso-other token read-token service code device client
GET    /api/health/live                                           200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
GET    /api/health/ready                                          200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
GET    /api/set-up                                                200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/set-up                                                404  404     404    404    404   404   404   404 404 404   404        404 404  404    404
GET    /api/server                                                401  401     403    403    403   200   403   403 403 403   403        403 403  403    403
PATCH  /api/server                                                401  401     403    403    403   200   403   403 403 403   403        403 403  403    403

POST   /api/auth/sign-in/email                                    200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/sign-in/recovery                                 200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/sign-in/second-factor                            200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/sign-in/second-factor/options                    200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/sign-in/passkey/options                          200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/sign-in/passkey                                  200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/sign-out                                         401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
GET    /api/auth/get-session                                      401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
GET    /api/auth/list-sessions                                    401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
POST   /api/auth/revoke-session                                   401  401     404    404    404   204   404   404 404 403   403        403 403  403    403
POST   /api/auth/revoke-other-sessions                            401  401     204    204    204   204   204   204 204 403   403        403 403  403    403
POST   /api/auth/confirm                                          401  401     204    204    204   204   204   204 204 403   403        403 403  403    403
POST   /api/auth/confirm/options                                  401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
GET    /api/auth/tokens                                           401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
POST   /api/auth/tokens                                           401  401     201    201    201   201   404   201 404 403   403        403 403  403    403
DELETE /api/auth/tokens/{tokenId}                                 401  401     404    404    404   204   404   204 404 403   403        403 403  403    403
POST   /api/auth/tokens/{tokenId}/confirm                         401  401     404    404    404   204   404   204 404 403   403        403 403  403    403
POST   /api/auth/authorizations/read                              401  401     200    200    200   200   200   200 200       403   403        403 403  403    403
POST   /api/auth/authorizations to authorize                      401  401     200    200    200   200   404   200 404       403   403        403 403  403    403
POST   /api/auth/authorizations to refuse                         401  401     200    200    200   200   200   200 200       403   403        403 403  403    403
POST   /api/auth/device-requests/read                             401  401     200    200    200   200   200   200 200       403   403        403 403  403    403
POST   /api/auth/device-requests/approve                          401  401     204    204    204   204   404   204 404       403   403        403 403  403    403
POST   /api/auth/device-requests/deny                             401  401     204    204    204   204   204   204 204       403   403        403 403  403    403
GET    /api/auth/account                                          401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
POST   /api/auth/update-user                                      401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
POST   /api/auth/change-password                                  401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
GET    /api/auth/second-factors                                   401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
POST   /api/auth/authenticator-app                                401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
POST   /api/auth/authenticator-app/confirm                        401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
DELETE /api/auth/authenticator-app                                401  401     204    204    204   204   204   403 403 403   403        403 403  403    403
POST   /api/auth/recovery-codes                                   401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
GET    /api/auth/account/usage                                    401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
GET    /api/auth/account/export                                   401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
GET    /api/auth/delete-account                                   401  401     200    200    200   200   200   200 403 403   403        403 403  403    403
POST   /api/auth/delete-account                                   401  401     204    204    204   409   409   403 403 403   403        403 403  403    403
POST   /api/auth/passkeys/options                                 401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
POST   /api/auth/passkeys                                         401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
PATCH  /api/auth/passkeys/{passkeyId}                             401  401     404    404    404   200   404   403 403 403   403        403 403  403    403
DELETE /api/auth/passkeys/{passkeyId}                             401  401     404    404    404   204   404   403 403 403   403        403 403  403    403
POST   /api/auth/request-password-reset                           200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/auth/reset-password                                   200  200     200    200    200   200   200   200 200 200   200        200 200  200    200

POST   /api/organizations                                         401  401     403    403    403   201   403   403 403 403   403        403 403  403    403
GET    /api/organizations                                         401  401     200    200    200   200   200   200 200 200   200        200 200  200    200
GET    /api/organizations/{orgId}                                 401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
PATCH  /api/organizations/{orgId}                                 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/organizations/{orgId}/logo                            401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/organizations/{orgId}/logo                            401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/logos/{logoId}                                        200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
GET    /api/organizations/{orgId}/contents                        401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
POST   /api/organizations/{orgId}/delete                          401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
POST   /api/organizations/restore                                 200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
GET    /api/deleted-organizations                                 401  401     200    200    200   200   200   200 200 403   403        403 403  403    403
POST   /api/deleted-organizations/{orgId}/restore                 401  401     404    404    404   204   404   404 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/members                         401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/organizations/{orgId}/tokens/confirm-all              401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/tokens                          401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/organizations/{orgId}/tokens/{tokenId}                401  401     403    403    403   204   404   204 404 204   403        403 204  204    403
POST   /api/organizations/{orgId}/tokens/{tokenId}/confirm        401  401     403    403    403   204   404   204 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/token-policy                    401  401     200    200    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/session-policy                  401  401     200    200    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/organizations/{orgId}/session-policy                  401  401     403    403    200   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/authentication-policy           401  401     200    200    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/organizations/{orgId}/authentication-policy           401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
PUT    /api/organizations/{orgId}/token-policy                    401  401     403    403    200   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/service-accounts                401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/organizations/{orgId}/service-accounts                401  401     403    403    201   201   404   201 404 403   403        403 403  403    403
PATCH  /api/organizations/{orgId}/service-accounts/{userId}       401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/organizations/{orgId}/service-accounts/{userId}/tokens  401  401   403    403    201   201   404   201 404 403   403        403 403  403    403
POST   /api/organizations/{orgId}/service-accounts/{userId}/client-credentials 401  401   403    403    201   201   404   201 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/groups                          401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/organizations/{orgId}/suspended-members               401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/organizations/{orgId}/suspended-members/{userId}      401  401     403    403    204   204   404   204 404 403   403        403 403  403    403
PATCH  /api/organizations/{orgId}/members/{userId}                401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/organizations/{orgId}/members/{userId}                401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
POST   /api/organizations/{orgId}/invitations                     401  401     403    403    201   201   404   201 404 201   403        201 201  201    201
GET    /api/organizations/{orgId}/invitations                     401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/organizations/{orgId}/invitations/{invitationId}      401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/organizations/{orgId}/audit                           401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/audit/export                    401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/access-log                      401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/access-log/retention            401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/log-stream                      401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/organizations/{orgId}/access-log/retention            401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/access-review                   401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/access-review/export            401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/usage                           401  401     403    403    200   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/data-export/contents            401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/data-export                     401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/proposals                       401  401     200    200    200   200   404   200 404 200   403        200 200  200    200
POST   /api/organizations/{orgId}/proposals                       401  401     201    201    201   201   404   201 404 201   403        201 201  201    201
GET    /api/organizations/{orgId}/proposals/{proposalId}          401  401     404    200    200   200   404   200 404 200   403        404 200  200    404
DELETE /api/organizations/{orgId}/proposals/{proposalId}          401  401     404    403    403   204   404   204 404 204   403        404 204  204    404
GET    /api/organizations/{orgId}/proposals/{proposalId}/review   401  401     404    200    200   200   404   200 404 403   403        403 403  403    403
POST   /api/organizations/{orgId}/proposals/{proposalId}/accept   401  401     404    200    200   200   404   200 404 403   403        403 403  403    403
POST   /api/organizations/{orgId}/proposals/{proposalId}/decline  401  401     404    200    200   200   404   200 404 403   403        403 403  403    403
GET    /api/organizations/{orgId}/webhooks                        401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/organizations/{orgId}/webhooks                        401  401     403    403    201   201   404   201 404 201   403        201 201  201    201
PATCH  /api/organizations/{orgId}/webhooks/{webhookId}            401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/organizations/{orgId}/webhooks/{webhookId}            401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
POST   /api/organizations/{orgId}/webhooks/{webhookId}/rotate-secret 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/organizations/{orgId}/webhooks/{webhookId}/test       401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/webhooks/{webhookId}/deliveries 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200

POST   /api/invitations/read                                      200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/invitations/accept                                    401  401     200    200    200   200   200   403 403 403   403        403 403  403    403
POST   /api/invitations/sign-up                                   201  201     201    201    201   201   201   201 201 201   201        201 201  201    201

POST   /api/sso/orgs/{orgId}/config                               401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/sso/orgs/{orgId}/config                               401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/sso/orgs/{orgId}/config                               401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
POST   /api/sso/orgs/{orgId}/config/test                          401  401     403    403    201   201   404   201 404 403   403        403 403  403    403
GET    /api/sso/orgs/{orgId}/config/test/{testId}                 401  401     403    403    200   200   404   200 404 403   403        403 403  403    403
GET    /api/sso/orgs/{orgId}/status                               401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/sso/orgs/{orgId}/domains                              401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/sso/orgs/{orgId}/domains/{domain}/verify              401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/sso/orgs/{orgId}/policy                               401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/sso/orgs/{orgId}/policy                               401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/sso/orgs/{orgId}/connections                          401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/sso/orgs/{orgId}/connections                          401  401     403    403    201   201   404   201 404 201   403        201 201  201    201
GET    /api/sso/orgs/{orgId}/connections/{connectionId}           401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/sso/orgs/{orgId}/connections/{connectionId}           401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/sso/orgs/{orgId}/connections/{connectionId}           401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/sso/orgs/{orgId}/connections/{connectionId}/status    401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/sso/orgs/{orgId}/connections/{connectionId}/policy    401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/sso/orgs/{orgId}/connections/{connectionId}/policy    401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/sso/orgs/{orgId}/connections/{connectionId}/domains   401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/sso/orgs/{orgId}/connections/{connectionId}/domains/{domain}/verify 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/sso/orgs/{orgId}/connections/{connectionId}/test      401  401     403    403    201   201   404   201 404 403   403        403 403  403    403
GET    /api/sso/orgs/{orgId}/connections/{connectionId}/test/{testId} 401  401     403    403    200   200   404   200 404 403   403        403 403  403    403
GET    /api/sso/orgs/{orgId}/connections/{connectionId}/certificates 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/sso/orgs/{orgId}/connections/{connectionId}/certificates 401  401     403    403    201   201   404   201 404 201   403        201 201  201    201
POST   /api/sso/orgs/{orgId}/connections/{connectionId}/certificates/{certificateId}/use 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/sso/orgs/{orgId}/connections/{connectionId}/certificates/{certificateId} 401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/sso/orgs/{orgId}/connections/{connectionId}/workload-identity 401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/sso/orgs/{orgId}/connections/{connectionId}/workload-identity 401  401     403    403    409   409   404   409 404 409   403        409 409  409    409
DELETE /api/sso/orgs/{orgId}/connections/{connectionId}/workload-identity 401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/sso/orgs/{orgId}/migration                            401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/sso/orgs/{orgId}/migration                            401  401     403    403    403   200   404   200 404 403   403        403 403  403    403
GET    /api/sso/orgs/{orgId}/migration/people                     401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
POST   /api/sso/orgs/{orgId}/migration/people/{userId}/undo       401  401     403    403    403   204   404   204 404 403   403        403 403  403    403
POST   /api/sso/orgs/{orgId}/recovery-codes                       401  401     403    403    403   201   404   201 404 403   403        403 403  403    403

POST   /api/sso/sign-in                                           200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
GET    /api/sso/start/{orgId}                                     302  302     302    302    302   302   302   302 302 302   302        302 302  302    302
GET    /api/sso/callback/{configId}                               302  302     302    302    302   302   302   302 302 302   302        302 302  302    302
POST   /api/sso/sign-in/link/read                                 200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/sso/sign-in/link/options                              200  200     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/sso/sign-in/link                                      200  200     200    200    200   200   200   200 200 200   200        200 200  200    200

POST   /api/dashboards                       in the organization  401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/dashboards                       one's own            401  401     201    201    201   201   201   403 403 403   403        403 403  403    403
GET    /api/dashboards/{dashboardId}         the organization's   401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards/{dashboardId}         the owner's own      401  401     404    404    404   200   404   404 404 404   404        404 404  404    404
GET    /api/dashboards                       the organization's   401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards                       all                  401  401     200    200    200   200   200   200 200 200   200        200 200  200    200
PUT    /api/dashboards/{dashboardId}                              401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
PATCH  /api/dashboards/{dashboardId}                              401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/dashboards/{dashboardId}                              401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
POST   /api/dashboards/{dashboardId}/duplicate                    401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
GET    /api/dashboards/{dashboardId}/events                       401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/dashboards/{dashboardId}/editing                      401  401     403    204    204   204   404   204 404 403   403        403 403  403    403
DELETE /api/dashboards/{dashboardId}/editing                      401  401     204    204    204   204   404   204 404 403   403        403 403  403    403
GET    /api/dashboards/{dashboardId}/versions                     401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards/{dashboardId}/versions/{version}           401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/dashboards/{dashboardId}/versions/{version}/restore   401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
GET    /api/dashboards/{dashboardId}/changes                      401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards/{dashboardId}/permissions                  401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards/{dashboardId}/access                       401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/dashboards/{dashboardId}/access                       401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/dashboards/{dashboardId}/access/{userId}              401  401     403    403    200   200   404   200 404 200   200        200 200  200    200
POST   /api/dashboards/{dashboardId}/transfer                     401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/trash/dashboards                 the organization's   401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/trash/dashboards                 all                  401  401     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/trash/dashboards/{id}/restore                         401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/trash/dashboards/{id}                                 401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/organizations/{orgId}/dashboards/export               401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/organizations/{orgId}/dashboards/import               401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/dashboards/{dashboardId}/star                         401  401     204    204    204   204   404   204 404 403   403        403 403  403    403
DELETE /api/dashboards/{dashboardId}/star                         401  401     204    204    204   204   404   204 404 403   403        403 403  403    403
PUT    /api/dashboards/{dashboardId}/visit                        401  401     204    204    204   204   404   204 404 403   403        403 403  403    403
GET    /api/dashboards/{dashboardId}/comments                     401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/dashboards/{dashboardId}/comments                     401  401     201    201    201   201   404   201 404 201   403        201 201  201    201
PATCH  /api/dashboards/{dashboardId}/comments/{commentId}         401  401     200    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/dashboards/{dashboardId}/comments/{commentId}         401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
POST   /api/dashboards/{dashboardId}/display-links                401  401     403    403    201   201   404   201 404 403   403        403 403  403    403
GET    /api/dashboards/{dashboardId}/display-links                401  401     403    403    200   200   404   200 404 403   403        403 403  403    403
DELETE /api/dashboards/{dashboardId}/display-links/{linkId}       401  401     403    403    204   204   404   204 404 403   403        403 403  403    403
GET    /api/display                                               404  404     404    404    404   404   404   404 404 404   404        404 404  404    404
GET    /api/display/results                                       404  404     404    404    404   404   404   404 404 404   404        404 404  404    404
GET    /api/display/images/{imageId}                              404  404     404    404    404   404   404   404 404 404   404        404 404  404    404
GET    /api/dashboards/{dashboardId}/mentionable                  401  401     200    200    200   200   404   200 404 200   200        200 200  200    200

POST   /api/organizations/{orgId}/data-sources          of files  401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/organizations/{orgId}/data-sources       of a server  401  401     403    403    201   201   404   201 404 201   403        201 201  201    201
GET    /api/organizations/{orgId}/data-sources                    401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/data-sources/{dataSourceId}                           401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/data-sources/{dataSourceId}                 of files  401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
PUT    /api/data-sources/{dataSourceId}              of a server  401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/data-sources/{dataSourceId}                 of files  401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
DELETE /api/data-sources/{dataSourceId}              of a server  401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
POST   /api/organizations/{orgId}/sample                          401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/data-sources/{dataSourceId}/test            of files  401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
POST   /api/data-sources/{dataSourceId}/test         of a server  401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/data-sources/{dataSourceId}/permissions               401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/data-sources/{dataSourceId}/access                    401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/data-sources/{dataSourceId}/access                    401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/data-sources/{dataSourceId}/access/{userId}           401  401     403    403    200   200   404   200 404 200   200        200 200  200    200
GET    /api/data-sources/{dataSourceId}/tables                    401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/data-sources/{dataSourceId}/tables/{table}/preview    401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/data-sources/{dataSourceId}/tables/{table}            401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/data-sources/{dataSourceId}/tables/{table}            401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
GET    /api/data-sources/{dataSourceId}/models                    401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/data-sources/{dataSourceId}/models                    401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/data-sources/{dataSourceId}/models                    401  401     403    204    204   204   404   204 404 204   403        204 204  204    204

POST   /api/organizations/{orgId}/uploads                         401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/organizations/{orgId}/images                          401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/organizations/{orgId}/folders                         401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
GET    /api/organizations/{orgId}/folders                         401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/organizations/{orgId}/personal-folder                 401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
GET    /api/folders/{folderId}                                    401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
PATCH  /api/folders/{folderId}                                    401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/folders/{folderId}                                    401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
POST   /api/folders/{folderId}/restore                            401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/trash/folders/{id}                                    401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/folders/{folderId}/access                             401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/folders/{folderId}/access                             401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/folders/{folderId}/access/{userId}                    401  401     403    403    200   200   404   200 404 200   200        200 200  200    200
POST   /api/folders/{folderId}/dashboards                         401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/folders/{folderId}/reports                            401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
POST   /api/organizations/{orgId}/items                           401  401     200    200    200   200   404   200 404 200   403        200 200  200    200
GET    /api/organizations/{orgId}/images                          401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/organizations/{orgId}/images/{imageId}                401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
DELETE /api/organizations/{orgId}/images/{imageId}                401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
POST   /api/uploads/{uploadId}/preview                            401  401     404    404    404   200   404   200 404 200   403        404 200  200    404
POST   /api/uploads/{uploadId}/import                             401  401     404    404    404   200   404   200 404 200   403        404 200  200    404
DELETE /api/uploads/{uploadId}                                    401  401     404    404    404   204   404   204 404 204   403        404 204  204    404

GET    /api/data-sources/{dataSourceId}/uses                      401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/organizations/{orgId}/trash/tables                    401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/trash/tables/{id}/restore                             401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/trash/tables/{id}                                     401  401     403    204    204   204   404   204 404 204   403        204 204  204    204

GET    /api/organizations/{orgId}/trash/data-sources              401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/trash/data-sources/{id}/restore              of files  401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
POST   /api/trash/data-sources/{id}/restore          of a server  401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/trash/data-sources/{id}                      of files  401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
DELETE /api/trash/data-sources/{id}                  of a server  401  401     403    403    204   204   404   204 404 204   403        204 204  204    204

POST   /api/reports                                               401  401     403    201    201   201   404   201 404 201   403        201 201  201    201
GET    /api/reports                                               401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/reports/{reportId}                                    401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/reports/{reportId}                                    401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/reports/{reportId}                                    401  401     403    204    204   204   404   204 404 204   403        204 204  204    204
GET    /api/reports/{reportId}/permissions                        401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/reports/{reportId}/access                             401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
PUT    /api/reports/{reportId}/access                             401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/reports/{reportId}/access/{userId}                    401  401     403    403    200   200   404   200 404 200   200        200 200  200    200
POST   /api/reports/{reportId}/transfer                           401  401     403    403    200   200   404   200 404 200   403        200 200  200    200
GET    /api/reports/{reportId}/dashboards                         401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/reports/{reportId}/versions                           401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/reports/{reportId}/versions/{version}                 401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/reports/{reportId}/versions/{version}/restore         401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
GET    /api/reports/{reportId}/changes                            401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/reports/{reportId}/run                                401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/reports/{reportId}/result.csv                         401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/reports/preview                                       401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/reports/{reportId}/drill            the rows            401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/explore/profile                                       401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/explore/cube                                          401  401     403    200    200   200   404   200 404 200   200        200 200  200    200
POST   /api/explore/rows                       a report's result  401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/reports/{reportId}/parameters/{parameter}/values      401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/trash/reports                    the organization's   401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/trash/reports                    all                  401  401     200    200    200   200   200   200 200 200   200        200 200  200    200
POST   /api/trash/reports/{id}/restore                            401  401     403    200    200   200   404   200 404 200   403        200 200  200    200
DELETE /api/trash/reports/{id}                                    401  401     403    403    204   204   404   204 404 204   403        204 204  204    204
GET    /api/dashboards/{dashboardId}/results                      401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards/{dashboardId}/export                       401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
GET    /api/dashboards/{dashboardId}/widgets/{widgetId}/export    401  401     200    200    200   200   404   200 404 200   200        200 200  200    200
`;

export const actors = [
  'none',
  'expired',
  'viewer',
  'editor',
  'admin',
  'owner',
  'other',
  'sso',
  'sso-other',
  'token',
  'read-token',
  'service',
  'code',
  'device',
  'client',
] as const;
export type ActorName = (typeof actors)[number];

/** The table by its lines: `POST /api/dashboards one's own`, with the statuses by actor. */
export const expected: Readonly<Record<string, Readonly<Record<ActorName, number>>>> = Object.fromEntries(
  table
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', statuses = ''] = /^(\S+ .*?) +((?:\d{3} *)+)$/.exec(line) ?? [];
      const columns = statuses.trim().split(/ +/).map(Number);
      assert.equal(columns.length, actors.length, line);
      const byActor = Object.fromEntries(actors.map((actor, index) => [actor, columns[index]]));
      return [name.replaceAll(/ +/g, ' '), byActor as Record<ActorName, number>];
    }),
);

/** The lines of the table about an organization, or about something in it. */
export const aboutOrganization = Object.entries(expected).filter(
  ([line, statuses]) =>
    statuses['sso-other'] === 404 &&
    statuses.sso !== 404 &&
    // People can always revoke their own tokens.
    line !== 'DELETE /api/auth/tokens/{tokenId}',
);

/** Returns the route of a line of the table. */
export function routeOf(line: string): Route {
  const [method, path] = line.split(' ');
  const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
  assert.ok(route, `${line} is not in the contract`);
  return route;
}
