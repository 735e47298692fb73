import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const SsoTestPage = (): ReactNode => <Page title="Test sign-in">{null}</Page>;
