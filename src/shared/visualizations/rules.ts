/** The conditions of rules that color the cells of a table. */
export const ruleConditions = [
  'above',
  'atLeast',
  'below',
  'atMost',
  'equals',
  'differs',
  'contains',
  'isEmpty',
  'isNotEmpty',
] as const;
export type RuleCondition = (typeof ruleConditions)[number];
