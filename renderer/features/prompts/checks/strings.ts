import promptChecks from '../../../locales/en/prompt-checks.json' with { type: 'json' }
import { addStrings } from '../../../lib/i18n.ts'

addStrings('promptChecks', promptChecks)
