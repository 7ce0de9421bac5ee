import modelEditor from '../../locales/en/model-editor.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('modelEditor', modelEditor)
