import voice from '../../locales/en/voice.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by whatever speaks, listens or says something of it.
addStrings('voice', voice)
