import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './ui/app.css';
import { startLanguage } from './ui/language/language.ts';

// The application starts afterwards, since its modules have texts in their constants. Not with `await`: its chunk imports this one,
// and would wait for it.
void startLanguage().then(() => import('./start.tsx'));
