import programs from '../../locales/en/programs.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by modules that show model runtimes or texts about them.
addStrings('programs', programs)
