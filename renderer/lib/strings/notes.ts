import notes from '../../locales/en/notes.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('notes', notes)
