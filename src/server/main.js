// `npm start` and `atrium serve`. Loads the server from compiled code, if it was started before: that saves half of the start.
import { loadCompiledCode, prepareProcess } from './prepare-process.js';

prepareProcess();
loadCompiledCode();
await import('./start.ts');
