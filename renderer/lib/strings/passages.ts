import passages from '../../locales/en/passages.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('passages', passages)
