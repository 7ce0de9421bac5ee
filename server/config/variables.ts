/**
 * An environment variable that is read once on start and cannot be changed while the gateway runs.
 */
export interface StartVariable {
  readonly name: string
  readonly aliases?: readonly string[]
  /** Default as shown in a table. */
  readonly defaultText: string
  readonly help: string
}

/**
 * All variables read by `parseConfig` and the sources of model providers; docs/configuration.md is
 * generated from them.
 */
export const startVariables: readonly StartVariable[] = [
  { name: 'HOST', defaultText: '127.0.0.1', help: 'Address the gateway listens on.' },
  {
    name: 'PORT',
    defaultText: '8642',
    help: 'Port; 0 uses any free one, and if it is taken, the next one is tried.',
  },
  {
    name: 'DATA_DIR',
    defaultText: 'per-user application data',
    help: 'Folder of the database, backups and keys.',
  },
  {
    name: 'UI_DIR',
    defaultText: 'the built interface',
    help: 'Folder of the web interface; empty serves the API alone.',
  },
  {
    name: 'WEBUI_SECRET_KEY',
    defaultText: 'made once',
    help: 'Secret that protects sessions and stored keys. Set it when several machines share data.',
  },
  {
    name: 'ENV',
    defaultText: 'prod',
    help: '`dev` shows the API documentation at `/docs` without sign-in.',
  },
  {
    name: 'LOG_LEVEL',
    aliases: ['GLOBAL_LOG_LEVEL'],
    defaultText: 'info',
    help: 'fatal, error, warn, info, debug, trace or silent.',
  },
  {
    name: 'WEBUI_ADMIN_EMAIL',
    defaultText: '',
    help: 'With WEBUI_ADMIN_PASSWORD: the first account, created at a start without any.',
  },
  { name: 'WEBUI_ADMIN_PASSWORD', defaultText: '', help: 'Password of that account.' },
  { name: 'WEBUI_ADMIN_NAME', defaultText: 'Admin', help: 'Its name.' },
  {
    name: 'USER_PERMISSIONS_<BRANCH>_<KEY>',
    defaultText: 'see the permissions page',
    help: 'What everyone can do, one variable for each name of the permission tree, such as `USER_PERMISSIONS_CHAT_DELETE`.',
  },
  {
    name: 'ENABLE_WEBSOCKET_SUPPORT',
    defaultText: 'true',
    help: '`false` leaves clients of Socket.IO long polling alone; the socket of the interface stays.',
  },
  {
    name: 'DATABASE_URL',
    defaultText: 'sqlite:',
    help: 'Where the data is kept: `sqlite:` is a file in the data folder; `postgres://account:password@host:port/database` a server (docs/postgresql.md).',
  },
  {
    name: 'DATABASE_RECOVERY',
    defaultText: '',
    help: 'For a damaged database: `without-log` leaves a broken log out, `restore` puts the newest good backup back, also where a newer version wrote the database, `fresh` starts empty. All is kept.',
  },
  {
    name: 'METRICS_ADDRESS',
    defaultText: '',
    help: 'Address of a listener of its own for Prometheus, such as `127.0.0.1:9464`, path `/metrics`; empty opens none. Every client that reaches it can read the metrics without sign-in.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    defaultText: '',
    help: 'Sends traces by OTLP over HTTP to `/v1/traces` of this address, such as `http://127.0.0.1:4318`; empty sends none.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    defaultText: '',
    help: 'What goes with them, such as a key: `name=value` with commas between.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    defaultText: 'chat-gateway',
    help: 'As what this gateway appears in the traces.',
  },
  {
    name: 'STORAGE_PROVIDER',
    defaultText: 'local',
    help: 'Where the bytes of uploads and pictures are kept: `local` is the data folder, `s3` a bucket of an S3-compatible store (docs/object-storage.md).',
  },
  { name: 'S3_BUCKET_NAME', defaultText: '', help: 'The bucket, which has to exist.' },
  {
    name: 'S3_ENDPOINT_URL',
    defaultText: 'that of AWS',
    help: 'Address of the store, without a user name or password.',
  },
  { name: 'S3_REGION_NAME', defaultText: 'us-east-1', help: 'Region of the bucket.' },
  {
    name: 'S3_ACCESS_KEY_ID',
    defaultText: 'what the AWS SDK finds',
    help: 'Key with which the gateway reads, writes and deletes objects.',
  },
  { name: 'S3_SECRET_ACCESS_KEY', defaultText: '', help: 'The secret of that key.' },
  {
    name: 'S3_KEY_PREFIX',
    defaultText: '',
    help: 'What the names of all objects begin with, such as `chat-gateway/`.',
  },
  {
    name: 'S3_ADDRESSING_STYLE',
    defaultText: 'auto',
    help: '`path` puts the bucket behind the address, `virtual` in front of the host; `auto` is `path` with S3_ENDPOINT_URL, else `virtual`.',
  },
  {
    name: 'LLMHOST_BASE_URL',
    aliases: ['LLMHOST_BASE_URLS', 'OLLAMA_BASE_URL', 'OLLAMA_BASE_URLS'],
    defaultText: 'http://127.0.0.1:11434',
    help: 'Local model runtimes, separated by semicolons; empty switches them off.',
  },
  {
    name: 'LOCAL_RUNTIME_PORTS',
    defaultText: 'the usual ones',
    help: 'Ports of the gateway’s computer on which the page of connections looks for runtimes, separated by commas; empty looks nowhere.',
  },
  {
    name: 'OPENAI_API_BASE_URLS',
    aliases: ['OPENAI_API_BASE_URL'],
    defaultText: '',
    help: 'Remote chat-completions providers, separated by semicolons.',
  },
  {
    name: 'OPENAI_API_KEYS',
    aliases: ['OPENAI_API_KEY'],
    defaultText: '',
    help: 'Their keys, in the same order.',
  },
]
