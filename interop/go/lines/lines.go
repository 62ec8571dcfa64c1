// Package lines speaks the protocol of interop/peer.ts: commands as JSON lines on stdin, answers as JSON lines on stdout.
package lines

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"

	"google.golang.org/grpc"
)

// Command is one line of the runner. Which members it has depends on the operation.
type Command struct {
	ID        int             `json:"id"`
	Op        string          `json:"op"`
	Of        int             `json:"of"`
	Client    string          `json:"client"`
	Server    string          `json:"server"`
	Version   string          `json:"version"`
	Binding   string          `json:"binding"`
	URL       string          `json:"url"`
	TaskID    string          `json:"taskId"`
	ContextID string          `json:"contextId"`
	ConfigID  string          `json:"configId"`
	Message   json.RawMessage `json:"message"`
	Wait      *bool           `json:"wait"`
}

// Waits tells whether a send is to wait for the end of the turn.
func (c Command) Waits() bool { return c.Wait == nil || *c.Wait }

// Failure is what a program can tell an error by.
type Failure struct {
	Code string `json:"code,omitempty"`
	Text string `json:"text"`
}

// Emit sends one event of a stream to the runner.
type Emit func(event any)

// Operation carries a command out.
type Operation func(ctx context.Context, command Command, emit Emit) (any, error)

// ErrNotOffered is returned where the kit has no such operation.
var ErrNotOffered = errors.New("not offered")

// Run reads commands until stdin ends. Each runs in a goroutine of its own, so that streams and calls go on beside each other.
func Run(operations map[string]Operation, failureOf func(error) string) {
	var output sync.Mutex
	encoder := json.NewEncoder(os.Stdout)
	write := func(line map[string]any) {
		output.Lock()
		defer output.Unlock()
		_ = encoder.Encode(line)
	}
	var known sync.Mutex
	running := map[int]context.CancelFunc{}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 64*1024), 16*1024*1024)
	for input.Scan() {
		var command Command
		if err := json.Unmarshal(input.Bytes(), &command); err != nil {
			panic(err)
		}
		known.Lock()
		if command.Op == "leave" {
			if stop := running[command.Of]; stop != nil {
				stop()
			}
			known.Unlock()
			continue
		}
		ctx, stop := context.WithCancel(context.Background())
		running[command.ID] = stop
		known.Unlock()
		go func() {
			defer stop()
			result, err := answer(ctx, operations, command, func(event any) {
				write(map[string]any{"id": command.ID, "event": event})
			})
			switch {
			case err == nil || ctx.Err() != nil:
				write(map[string]any{"id": command.ID, "result": result})
			case errors.Is(err, ErrNotOffered):
				write(map[string]any{"id": command.ID, "error": Failure{Code: "NOT_OFFERED", Text: err.Error()}})
			default:
				write(map[string]any{"id": command.ID, "error": Failure{Code: failureOf(err), Text: err.Error()}})
			}
		}()
	}
}

func answer(ctx context.Context, operations map[string]Operation, command Command, emit Emit) (any, error) {
	operation := operations[command.Op]
	if operation == nil {
		return nil, ErrNotOffered
	}
	return operation(ctx, command, emit)
}

// Listen binds a free port, so that the address is known before the server starts.
func Listen() (net.Listener, string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	return listener, "http://" + listener.Addr().String(), nil
}

// Serve serves in the background until the process ends.
func Serve(listener net.Listener, handler http.Handler) {
	go func() { _ = http.Serve(listener, handler) }()
}

// ListenGRPC binds a free port. The address has no scheme, as cards have those of gRPC.
func ListenGRPC() (net.Listener, string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	return listener, listener.Addr().String(), nil
}

// Registrar is a handler of the kit that registers its service.
type Registrar interface{ RegisterWith(server *grpc.Server) }

// ServeGRPC serves in the background until the process ends.
func ServeGRPC(listener net.Listener, service Registrar) {
	server := grpc.NewServer()
	service.RegisterWith(server)
	go func() { _ = server.Serve(listener) }()
}

// Gates hold runs until the runner lets them go on.
type Gates struct {
	lock sync.Mutex
	open chan struct{}
}

// NewGates returns closed gates.
func NewGates() *Gates { return &Gates{open: make(chan struct{})} }

// Wait returns when the gates are released or the run is stopped.
func (g *Gates) Wait(ctx context.Context) {
	g.lock.Lock()
	open := g.open
	g.lock.Unlock()
	select {
	case <-open:
	case <-ctx.Done():
	}
}

// Release lets every run that waits go on.
func (g *Gates) Release() {
	g.lock.Lock()
	defer g.lock.Unlock()
	close(g.open)
	g.open = make(chan struct{})
}
