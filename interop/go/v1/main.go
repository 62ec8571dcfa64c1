// Command v1 is a2a-go v2 as a peer, driven by the runner in interop/.
package main

import (
	"io"
	"log/slog"
	"maps"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"

	"parley/interop/lines"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	operations := (&clients{known: map[string]*a2aclient.Client{}}).operations()
	maps.Copy(operations, (&servers{gates: map[string]*lines.Gates{}}).operations())
	lines.Run(operations, a2a.ErrorReason)
}
