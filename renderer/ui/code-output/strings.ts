import { addStrings } from '../../lib/i18n.ts'
import code from '../../locales/en/code.json' with { type: 'json' }

// Whatever shows or runs code brings its strings along.
addStrings('code', code)
