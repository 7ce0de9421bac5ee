import sharing from '../../locales/en/sharing.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by the settings page.
addStrings('sharing', sharing)
