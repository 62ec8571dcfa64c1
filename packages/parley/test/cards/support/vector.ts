import type { CardJson, Jwk } from 'parley-a2a/cards';

/** The test vector of the reference (v1-agent-card §6.5), as it stands there. */
export const VECTOR_CARD = JSON.parse(
  `{"version": "1.0.0", "name": "Écho", "description": "Repeats input", "iconUrl": "", "supportedInterfaces": [{"url": "https://a.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": ""}], "capabilities": {"streaming": false, "pushNotifications": true, "extensions": []}, "securitySchemes": {"mtls": {"mtlsSecurityScheme": {"description": ""}}}, "securityRequirements": [{"schemes": {"mtls": {"list": []}}}], "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [{"id": "echo", "name": "Echo", "description": "Says it back", "tags": ["demo"], "examples": []}], "signatures": []}`,
) as CardJson;

export const VECTOR_PAYLOAD =
  '{"capabilities":{"pushNotifications":true,"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"description":"Repeats input","iconUrl":"","name":"Écho","securityRequirements":[{"schemes":{"mtls":{}}}],"securitySchemes":{"mtls":{"mtlsSecurityScheme":{}}},"skills":[{"description":"Says it back","id":"echo","name":"Echo","tags":["demo"]}],"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://a.example/rpc"}],"version":"1.0.0"}';

/** RFC 8037, appendix A. */
export const VECTOR_KEY: Jwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

export const VECTOR_SIGNATURE = {
  protected: 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJrZXktMSJ9',
  signature: 'EepISyJihHEHXEB9HLzee7lDe-YrRFaFtbxtENo55CFHvlxISGq7Or4Tsk6lCY9AULPaq-jPDS25IEHP5GcyCA',
};
