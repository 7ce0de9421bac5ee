import calendar from '../../locales/en/calendar.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by the workspace page.
addStrings('calendar', calendar)
