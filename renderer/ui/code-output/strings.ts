import { addStrings } from '../../lib/i18n.ts'
import code from '../../locales/en/code.json' with { type: 'json' }

// Imported by every module that shows or runs code.
addStrings('code', code)
