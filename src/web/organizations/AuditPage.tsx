import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const AuditPage = (): ReactNode => <Page title="Audit log">{null}</Page>;
