import share from '../../locales/en/share.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('share', share)
