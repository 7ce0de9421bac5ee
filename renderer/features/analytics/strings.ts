import analytics from '../../locales/en/analytics.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by the settings page.
addStrings('analytics', analytics)
