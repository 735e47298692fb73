import type { DirectoryKind } from '../connection/connection.ts';
import type { SketchedPage } from './Sketch.tsx';

const entraMenu = ['Overview', 'Authentication', 'Certificates & secrets', 'API permissions'];
const adfsMenu = ['Welcome', 'Server application', 'Configure Credentials', 'Configure Web API'];

/** The sketched pages of a directory, for those whose consoles look the same everywhere. */
export const sketches: Readonly<
  Partial<
    Record<DirectoryKind, { readonly register: SketchedPage; readonly connect: readonly SketchedPage[] }>
  >
> = {
  entra: {
    register: {
      description:
        'The Register an application page: Redirect URI is below Name and Supported account types, with the Web platform and a field for the address.',
      title: 'Entra ID › App registrations › Register an application',
      menu: ['Overview', 'Users', 'App registrations', 'Enterprise applications'],
      at: 'App registrations',
      fields: [
        { label: 'Name', value: 'Atrium' },
        { label: 'Supported account types', value: '◉ This organizational directory only' },
        {
          label: 'Redirect URI',
          value: 'Web ▾   https://…/api/sso/callback/…',
          mark: 'here',
          note: '← paste the redirect URI',
        },
      ],
    },
    connect: [
      {
        description:
          'The Overview of the app registration: copy Application (client) ID and Directory (tenant) ID, not Object ID.',
        title: 'App registrations › Atrium',
        menu: entraMenu,
        at: 'Overview',
        fields: [
          { label: 'Application (client) ID', value: '5d0c…', mark: 'here', note: '→ copy' },
          { label: 'Object ID', value: '91aa…', mark: 'not' },
          { label: 'Directory (tenant) ID', value: '3d1f…', mark: 'here', note: '→ copy' },
        ],
      },
      {
        description:
          'Certificates & secrets, after New client secret: copy the Value column, not the Secret ID column.',
        title: 'App registrations › Atrium › Certificates & secrets',
        menu: entraMenu,
        at: 'Certificates & secrets',
        fields: [
          { label: '+ New client secret' },
          { label: 'Expires', value: '20/05/2027' },
          { label: 'Value', value: 'abc8Q~…', mark: 'here', note: '→ copy now' },
          { label: 'Secret ID', value: '7b22…', mark: 'not' },
        ],
      },
    ],
  },
  adfs: {
    register: {
      description:
        'The Server application page of the wizard: Redirect URI, with an Add button, is below Client Identifier.',
      title: 'Add Application Group Wizard',
      menu: adfsMenu,
      at: 'Server application',
      fields: [
        { label: 'Name', value: 'Atrium – Server application' },
        { label: 'Client Identifier', value: '5d0c…' },
        {
          label: 'Redirect URI',
          value: 'https://…/api/sso/callback/…   [Add]',
          mark: 'here',
          note: '← paste the redirect URI',
        },
      ],
    },
    connect: [
      {
        description: 'The Server application page of the wizard: copy Client Identifier.',
        title: 'Add Application Group Wizard',
        menu: adfsMenu,
        at: 'Server application',
        fields: [
          { label: 'Name', value: 'Atrium – Server application' },
          { label: 'Client Identifier', value: '5d0c…', mark: 'here', note: '→ copy' },
        ],
      },
      {
        description:
          'The Configure Application Credentials page, after Generate a shared secret: copy the secret.',
        title: 'Add Application Group Wizard',
        menu: adfsMenu,
        at: 'Configure Credentials',
        fields: [
          { label: '☑ Generate a shared secret' },
          { label: 'Secret', value: '••••••••', mark: 'here', note: '→ Copy to clipboard' },
        ],
      },
    ],
  },
};
