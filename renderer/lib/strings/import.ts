import importing from '../../locales/en/import.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('import', importing)
