import { Type, type Static } from 'typebox';

/** The version of the specification that exports are written in. Imports accept any: the parts read here are the same in all. */
export const ossieVersion = '0.2.0.dev0';

/** The vendor name of what only this server understands: see https://github.com/apache/ossie, "Custom Extensions". */
export const vendor = 'ATRIUM';

const Text = Type.String({ maxLength: 100_000 });
const Name = Type.String({ minLength: 1, maxLength: 1_000 });

const Extensions = Type.Optional(
  Type.Array(Type.Object({ vendor_name: Name, data: Text }), { maxItems: 1_000 }),
);
const Expression = Type.Object({
  dialects: Type.Array(Type.Object({ dialect: Name, expression: Text }), { minItems: 1, maxItems: 100 }),
});
const described = {
  name: Name,
  description: Type.Optional(Text),
  custom_extensions: Extensions,
};

const Field = Type.Object({ ...described, expression: Expression, label: Type.Optional(Text) });
const Metric = Type.Object({ ...described, expression: Expression });
const Dataset = Type.Object({
  ...described,
  source: Text,
  primary_key: Type.Optional(Type.Array(Name, { maxItems: 20 })),
  fields: Type.Optional(Type.Array(Field, { maxItems: 5_000 })),
});
const OssieRelationship = Type.Object({
  ...described,
  from: Name,
  to: Name,
  from_columns: Type.Array(Name, { minItems: 1, maxItems: 20 }),
  to_columns: Type.Array(Name, { minItems: 1, maxItems: 20 }),
});

/** The parts of an Apache Ossie (formerly Open Semantic Interchange) document that models have. */
export const OssieDocument = Type.Object({
  version: Type.Optional(Text),
  semantic_model: Type.Array(
    Type.Object({
      ...described,
      datasets: Type.Array(Dataset, { minItems: 1, maxItems: 5_000 }),
      relationships: Type.Optional(Type.Array(OssieRelationship, { maxItems: 10_000 })),
      metrics: Type.Optional(Type.Array(Metric, { maxItems: 10_000 })),
    }),
    { maxItems: 100 },
  ),
});
export type OssieDocument = Static<typeof OssieDocument>;
export type OssieModel = OssieDocument['semantic_model'][number];
export type OssieDataset = OssieModel['datasets'][number];
export type OssieField = NonNullable<OssieDataset['fields']>[number];
export type OssieMetric = NonNullable<OssieModel['metrics']>[number];
export type CustomExtensions = NonNullable<OssieModel['custom_extensions']>;
