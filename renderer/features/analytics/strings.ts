import analytics from '../../locales/en/analytics.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by the page of the settings.
addStrings('analytics', analytics)
