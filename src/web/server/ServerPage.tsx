import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const ServerPage = (): ReactNode => <Page title="Server">{null}</Page>;
