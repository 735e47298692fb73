import { auditActions, type AuditAction } from '#shared/audit-actions.ts';
import type { ActionText, Details } from './texts/details.ts';
import { accountTexts } from './texts/accounts.ts';
import { organizationTexts } from './texts/organization.ts';
import { tokenTexts } from './texts/tokens.ts';
import { dataSourceTexts } from './texts/data-sources.ts';
import { contentTexts } from './texts/content.ts';
import { folderTexts } from './texts/folders.ts';
import { ssoTexts } from './texts/sso.ts';
import { accessLogTexts } from './texts/access-log.ts';
import { proposalTexts } from './texts/proposals.ts';
import { webhookTexts } from './texts/webhooks.ts';

const texts: Readonly<Record<AuditAction, ActionText>> = {
  ...accountTexts,
  ...organizationTexts,
  ...tokenTexts,
  ...dataSourceTexts,
  ...contentTexts,
  ...folderTexts,
  ...ssoTexts,
  ...accessLogTexts,
  ...proposalTexts,
  ...webhookTexts,
};

/** Returns the text of an entry next to the column “Who”. An action that only a newer server knows is shown by its name. */
export function entryText({ action, details }: { action: string; details: Details }): string {
  if (!Object.hasOwn(texts, action)) return action;
  const known = texts[action as AuditAction];
  return 'did' in known ? known.did(details) : known.sentence(details);
}

/** The actions of the filter, with their labels. */
export const actionChoices: readonly { readonly value: string; readonly label: string }[] = auditActions.map(
  (value) => ({ value, label: texts[value].label }),
);
