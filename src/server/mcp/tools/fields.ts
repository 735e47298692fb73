import { Type } from 'typebox';

/** Parts that the schemas of several tools have. They are in every list of tools, so they are short. */
export const Id = Type.String({ minLength: 1, maxLength: 100 });
export const Url = Type.String({ description: 'The page for people: cite it' });
export const Version = Type.Integer({ description: 'The number in the ETag: cite it' });
export const Time = Type.String({ description: 'RFC 3339, UTC' });
export const Name = Type.String({ minLength: 1, maxLength: 1_000 });

/** What a result is about. */
export const ReportCitation = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Version,
  url: Url,
});
