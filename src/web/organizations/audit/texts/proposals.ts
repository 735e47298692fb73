import { t } from '#shared/language/messages.ts';
import { at, type ActionText } from './details.ts';

/** The texts of what happens to proposals. */
export const proposalTexts = {
  'proposal.created': {
    label: t('Proposal created'),
    did: (details) => t('proposed “{name}”', { name: at(details, 'name') }),
  },
  'proposal.withdrawn': {
    label: t('Proposal withdrawn'),
    did: (details) => t('withdrew the proposal “{name}”', { name: at(details, 'name') }),
  },
  'proposal.accepted': {
    label: t('Proposal accepted'),
    did: (details) => t('accepted the proposal “{name}”', { name: at(details, 'name') }),
  },
  'proposal.declined': {
    label: t('Proposal declined'),
    did: (details) => t('declined the proposal “{name}”', { name: at(details, 'name') }),
  },
} as const satisfies Readonly<Record<`proposal.${string}`, ActionText>>;
