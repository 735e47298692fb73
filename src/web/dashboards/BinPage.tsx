import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const BinPage = (): ReactNode => <Page title="Bin">{null}</Page>;
