import { registerHooks } from 'node:module';

// openapi-typescript builds its output with the JavaScript API of TypeScript, which TypeScript 7 doesn't have. This can
// go when openapi-typescript accepts TypeScript 7.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' && context.parentURL?.includes('/openapi-typescript/') === true
      ? next('@ts-morph/common/dist/typescript.js', context)
      : next(specifier, context),
});

/** Returns the types of a client of the document, as `openapi-typescript` generates them. */
export async function generateTypes(document: string): Promise<string> {
  const { default: generate, astToString } = await import('openapi-typescript');
  return astToString(await generate(document));
}
