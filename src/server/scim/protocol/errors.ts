/** The kinds of faults that a request can have (RFC 7644, section 3.12, table 9), as far as they occur here. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An error in the form of the standard. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** Returns the error of a request with a fault of this kind. */
export const badRequest = (scimType: ScimType, detail: string): ScimError =>
  new ScimError(scimType === 'uniqueness' ? 409 : 400, scimType, detail);

/** The same for a resource that does not exist and for one of another organization. */
export const resourceNotFound = (): ScimError => new ScimError(404, undefined, 'There is no such resource.');

/** Returns the body of an error (RFC 7644, section 3.12). */
export const errorBody = (status: number, scimType: ScimType | undefined, detail: string): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  ...(scimType !== undefined && { scimType }),
  detail,
  status: String(status),
});
