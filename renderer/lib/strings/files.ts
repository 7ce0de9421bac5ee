import files from '../../locales/en/files.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('files', files)
