import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const MembersPage = (): ReactNode => <Page title="Members">{null}</Page>;
