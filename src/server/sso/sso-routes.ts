import * as contract from '#contract/sso.ts';
import type { Serve } from '../http/serve.ts';
import {
  deleteSsoConfiguration,
  getSsoConfiguration,
  putSsoConfiguration,
  type SsoConfigurationNeeds,
} from './sso-configurations.ts';

export function serveSso(serve: Serve, needs: SsoConfigurationNeeds): void {
  serve(contract.putSsoConfiguration, ({ actor, params, body }) =>
    putSsoConfiguration(needs, actor, params.orgId, body),
  );

  serve(contract.getSsoConfiguration, ({ actor, params }) =>
    getSsoConfiguration(needs.database, actor, params.orgId),
  );

  serve(contract.deleteSsoConfiguration, async ({ actor, params }) => {
    await deleteSsoConfiguration(needs.database, actor, params.orgId);
    return undefined;
  });
}
