package lines

import (
	"encoding/hex"
	"encoding/json"
)

// What the agent of every peer produces (interop/script-agent.ts).
const (
	MediaType = "application/octet-stream"
	Filename  = "figures.bin"
	Link      = "https://files.example.com/figures.csv"
	LinkType  = "text/csv"
	fileInHex = "00ff10807f0a0d2001fe9c3b5ad2e16f4488b7c3"
)

// File returns the bytes that the agent produces.
func File() []byte {
	content, err := hex.DecodeString(fileInHex)
	if err != nil {
		panic(err)
	}
	return content
}

// Data returns the structured data that the agent produces.
func Data() map[string]any {
	return map[string]any{"quarter": "Q4", "figures": []any{1, 2.5, -3}, "final": true, "note": nil}
}

// Described is a part as it arrived; bytes are shown decoded, so that a wrong encoding is seen.
type Described struct {
	Kind      string `json:"kind"`
	Text      string `json:"text,omitempty"`
	Hex       string `json:"hex,omitempty"`
	URL       string `json:"url,omitempty"`
	MediaType string `json:"mediaType,omitempty"`
	Filename  string `json:"filename,omitempty"`
	Data      any    `json:"data,omitempty"`
}

// Text returns descriptions as the text that the agent answers with.
func Text(parts []Described) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	return string(text)
}
