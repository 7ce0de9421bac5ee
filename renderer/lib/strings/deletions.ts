import deletions from '../../locales/en/deletions.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('deletions', deletions)
