import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const AccountPage = (): ReactNode => <Page title="Account">{null}</Page>;
