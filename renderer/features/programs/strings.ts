import programs from '../../locales/en/programs.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by whatever draws or says something of programs that serve models.
addStrings('programs', programs)
