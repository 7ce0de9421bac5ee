import retrieval from '../../locales/en/retrieval.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('retrieval', retrieval)
