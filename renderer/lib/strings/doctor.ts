import doctor from '../../locales/en/doctor.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('doctor', doctor)
