import desktopApp from '../locales/en/desktop-app.json' with { type: 'json' }
import { addStrings } from './i18n.ts'

// Imported for its side effect by modules that render parts of the desktop app.
addStrings('desktopApp', desktopApp)
