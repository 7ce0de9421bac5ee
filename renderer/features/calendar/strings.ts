import calendar from '../../locales/en/calendar.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by the page of the workspace.
addStrings('calendar', calendar)
