import automations from '../../locales/en/automations.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by the page of the workspace.
addStrings('automations', automations)
