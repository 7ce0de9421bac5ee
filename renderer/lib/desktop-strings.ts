import desktopApp from '../locales/en/desktop-app.json' with { type: 'json' }
import { addStrings } from './i18n.ts'

// Imported for its effect by whatever draws something of the desktop app.
addStrings('desktopApp', desktopApp)
