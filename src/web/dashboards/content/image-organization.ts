import { createContext } from 'react';

/** The ID of the organization whose images a dashboard shows; undefined for dashboards of one person, which have none. */
export const ImageOrganization = createContext<string | undefined>(undefined);
