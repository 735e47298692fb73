// `atrium`: the commands of the operator on this machine under `server`, and commands that call a server anywhere.
if (process.argv[2] === 'server') {
  const { loadCompiledCodeIfStored, prepareProcess } = await import('./server/prepare-process.js');
  prepareProcess();
  loadCompiledCodeIfStored();
  await import('./server/atrium.ts');
} else {
  await import('./cli/main.ts');
}
