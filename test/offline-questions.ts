// Questions as a newcomer asks them about three public packages, with the places that answer them. Written before the
// search was tuned; every third one is held out: nobody looks at how it is answered while the rules are changed.

/** A file of the package, and a piece of the line where the answer begins: with a body, the body counts too. */
export type Place = readonly [file: string, line: string];
export type Question = { readonly ask: string; readonly at: readonly Place[]; readonly heldOut: boolean };
export type Project = { readonly name: string; readonly questions: readonly Question[] };

const project = (name: string, asked: readonly (readonly [string, ...Place[]])[]): Project => ({
  name,
  questions: asked.map(([ask, ...at], n) => ({ ask, at, heldOut: n % 3 === 2 })),
});

const commander = project("commander", [
  ["where is suggestSimilar defined?", ["lib/suggestSimilar.js", "function suggestSimilar("]],
  ["which function works out how similar two words are?", ["lib/suggestSimilar.js", "function editDistance("]],
  ["what does _parseOptionsEnv do?", ["lib/command.js", "  _parseOptionsEnv() {"]],
  [
    "where are options that conflict with each other detected?",
    ["lib/command.js", "  _checkForConflictingLocalOptions() {"],
    ["lib/command.js", "  _checkForConflictingOptions() {"],
  ],
  ['where is the error "too many arguments" raised?', ["lib/command.js", "  _excessArguments(receivedArgs) {"]],
  [
    "how does an option turn its long flag into a property name?",
    ["lib/option.js", "  attributeName() {"],
    ["lib/option.js", "function camelcase("],
  ],
  ["where does the code commander.unknownOption come from?", ["lib/command.js", "  unknownOption(flag) {"]],
  [
    "what happens when a mandatory option was not given?",
    ["lib/command.js", "  missingMandatoryOptionValue(option) {"],
    ["lib/command.js", "  _checkForMissingMandatoryOptions() {"],
  ],
  ["where is passThroughOptions implemented?", ["lib/command.js", "  passThroughOptions(passThrough = true) {"]],
  [
    "where is the help text wrapped to the width of the terminal?",
    ["lib/help.js", "  boxWrap(str, width) {"],
    ["lib/help.js", "  formatItem("],
  ],
  [
    "what is the default of helpWidth?",
    ["lib/help.js", "contextOptions.helpWidth ?? 80"],
    ["lib/help.js", "helper.helpWidth ?? 80"],
  ],
  [
    "which function splits the flags of an option into short and long?",
    ["lib/option.js", "function splitOptionFlags("],
  ],
  ["what does valueFromOption do?", ["lib/option.js", "  valueFromOption(value, option) {"]],
  [
    "where does the program start an executable subcommand in another process?",
    ["lib/command.js", "  _executeSubCommand(subcommand, args) {"],
  ],
  ["where is InvalidArgumentError declared?", ["lib/error.js", "class InvalidArgumentError"]],
  ["where is it decided whether to use colors?", ["lib/command.js", "function useColor("]],
  ["where is allowExcessArguments set?", ["lib/command.js", "  allowExcessArguments(allowExcess = true) {"]],
  [
    "where are the user's arguments separated from node and the script name?",
    ["lib/command.js", "  _prepareUserArgs(argv, parseOptions) {"],
  ],
  [
    'who throws "first parameter to parse must be array or undefined"?',
    ["lib/command.js", "  _prepareUserArgs(argv, parseOptions) {"],
  ],
  ["which function lists the visible subcommands for the help?", ["lib/help.js", "  visibleCommands(cmd) {"]],
]);

const undici = project("undici", [
  ["where is parseKeepAliveTimeout defined?", ["lib/core/util.js", "function parseKeepAliveTimeout ("]],
  [
    "which function decides whether a response may be cached?",
    ["lib/handler/cache-handler.js", "function canCacheResponse ("],
  ],
  ["what is the default of keepAliveMaxTimeout?", ["lib/dispatcher/client.js", "keepAliveMaxTimeout == null ? 600e3"]],
  [
    "where are cookies parsed from the set-cookie header?",
    ["lib/web/cookies/parse.js", "function parseSetCookie ("],
    ["lib/web/cookies/index.js", "function getSetCookies ("],
  ],
  [
    "what is the default of maxRetries in the retry handler?",
    ["lib/handler/retry-handler.js", "maxRetries: maxRetries ?? 5"],
  ],
  [
    "how is the time to wait before the next retry computed?",
    ["lib/handler/retry-handler.js", "  static [kRetryHandlerDefaultRetry] ("],
    ["lib/handler/retry-handler.js", "function calculateRetryAfterHeader ("],
  ],
  ['where is "Proxy uri is mandatory" thrown?', ["lib/dispatcher/proxy-agent.js", "'Proxy uri is mandatory'"]],
  [
    "where is a websocket frame masked?",
    ["lib/web/websocket/frame.js", "function generateMask ("],
    ["lib/web/websocket/frame.js", "  createFrame ("],
    ["lib/web/websocket/frame.js", "class WebsocketFrameSend {"],
  ],
  ["what does FixedCircularBuffer do?", ["lib/dispatcher/fixed-queue.js", "class FixedCircularBuffer {"]],
  [
    "what happens when connecting times out?",
    ["lib/core/util.js", "function onConnectTimeout ("],
    ["lib/core/errors.js", "class ConnectTimeoutError"],
  ],
  [
    "where is BalancedPoolMissingUpstreamError thrown?",
    ["lib/dispatcher/balanced-pool.js", "throw new BalancedPoolMissingUpstreamError()"],
  ],
  [
    "how does the round robin pool choose the next client?",
    ["lib/dispatcher/round-robin-pool.js", "  [kGetDispatcher] () {"],
  ],
  ["where is httpRedirectFetch?", ["lib/web/fetch/index.js", "function httpRedirectFetch ("]],
  [
    "where is the no_proxy variable of the environment checked?",
    ["lib/dispatcher/env-http-proxy-agent.js", "  #shouldProxy (hostname, port) {"],
    ["lib/dispatcher/env-http-proxy-agent.js", "  get #noProxyEnv () {"],
  ],
  [
    "who throws ResponseExceededMaxSizeError?",
    ["lib/dispatcher/client-h1.js", "new ResponseExceededMaxSizeError()"],
    ["lib/interceptor/decompress.js", "new ResponseExceededMaxSizeError("],
  ],
  [
    "how is a multipart form data body parsed?",
    ["lib/web/fetch/formdata-parser.js", "function multipartFormDataParser ("],
  ],
  ["where is UND_ERR_CONNECT_TIMEOUT set?", ["lib/core/errors.js", "class ConnectTimeoutError"]],
  [
    "which function checks that the value of a header is valid?",
    ["lib/core/util.js", "function isValidHeaderValue ("],
    ["lib/web/fetch/util.js", "function isValidHeaderValue ("],
  ],
  ["what does shouldRemoveHeader decide?", ["lib/handler/redirect-handler.js", "function shouldRemoveHeader ("]],
  [
    "where are expired entries removed from the sqlite cache?",
    ["lib/cache/sqlite-cache-store.js", "  #prune () {"],
    ["lib/cache/sqlite-cache-store.js", "#deleteExpiredValuesQuery = this"],
  ],
]);

const immer = project("immer", [
  ["where is createProxyProxy defined?", ["src/core/proxy.ts", "export function createProxyProxy<"]],
  ["which function makes a shallow copy of an object?", ["src/utils/common.ts", "export function shallowCopy("]],
  ["what does isDraftable check?", ["src/utils/common.ts", "export function isDraftable("]],
  ["where is an object frozen deeply?", ["src/utils/common.ts", "export function freeze<T>(obj: any"]],
  [
    'where is "Immer forbids circular references" written?',
    ["src/utils/errors.ts", "Immer forbids circular references"],
  ],
  [
    "how does immer remember that a draft was changed?",
    ["src/core/proxy.ts", "export function markChanged("],
    ["src/utils/common.ts", "export function isModified("],
  ],
  ["what is the default of autoFreeze_?", ["src/core/immerClass.ts", "autoFreeze_: boolean = true"]],
  ["where are plugins loaded?", ["src/utils/plugins.ts", "export function loadPlugin<"]],
  ["where is enablePatches?", ["src/plugins/patches.ts", "export function enablePatches() {"]],
  [
    "which function applies patches to a draft?",
    ["src/plugins/patches.ts", "function applyPatches_<T>("],
    ["src/core/immerClass.ts", "applyPatches<"],
  ],
  ["what does processResult do?", ["src/core/finalize.ts", "export function processResult("]],
  [
    "where is a scope left so that its parent is the current one again?",
    ["src/core/scope.ts", "export function leaveScope("],
  ],
  ["where is DRAFT_STATE defined?", ["src/utils/env.ts", "export const DRAFT_STATE"]],
  [
    "what happens when a property of a draft is deleted?",
    ["src/core/proxy.ts", "	deleteProperty(state, prop: string) {"],
    ["src/core/proxy.ts", "arrayTraps.deleteProperty = function"],
  ],
  ['which function says "minified error nr"?', ["src/utils/errors.ts", "export function die("]],
  [
    "how are drafts of maps made?",
    ["src/plugins/mapset.ts", "	function proxyMap_<"],
    ["src/plugins/mapset.ts", "	class DraftMap extends Map {"],
  ],
  ["where is ArchType declared?", ["src/types/types-internal.ts", "export const enum ArchType {"]],
  [
    "how do I get a plain copy of a draft for debugging?",
    ["src/core/current.ts", "export function current(value: Draft<any>): any {"],
    ["src/core/current.ts", "export function current<T>"],
  ],
  ["what does the type WritableDraft look like?", ["src/types/types-external.ts", "export type WritableDraft<T>"]],
  ["which function tells whether two values are the same?", ["src/utils/common.ts", "export function is("]],
]);

export const projects: readonly Project[] = [commander, undici, immer];
