import timeMachine from '../../locales/en/time-machine.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by the settings page.
addStrings('timeMachine', timeMachine)
