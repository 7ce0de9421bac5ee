import outgoing from '../../locales/en/outgoing.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by the settings page.
addStrings('outgoing', outgoing)
