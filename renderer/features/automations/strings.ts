import automations from '../../locales/en/automations.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by the workspace page.
addStrings('automations', automations)
