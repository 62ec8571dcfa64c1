package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/a2aclient/agentcard"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"parley/interop/lines"
)

// clients are those of the kit. It speaks JSON-RPC and gRPC, not HTTP+JSON.
type clients struct {
	lock  sync.Mutex
	known map[string]*a2aclient.Client
}

func (c *clients) operations() map[string]lines.Operation {
	return map[string]lines.Operation{
		"connect":      c.connect,
		"send":         c.send,
		"stream":       c.stream,
		"get":          c.get,
		"cancel":       c.cancel,
		"subscribe":    c.subscribe,
		"createPush":   c.createPush,
		"getPush":      c.getPush,
		"listPush":     c.listPush,
		"deletePush":   c.deletePush,
		"extendedCard": c.extendedCard,
	}
}

func (c *clients) connect(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	card, err := agentcard.NewResolver(&http.Client{Timeout: time.Minute}).Resolve(ctx, command.URL)
	if err != nil {
		return nil, err
	}
	client, err := a2aclient.NewFromCard(ctx, card,
		a2aclient.WithConfig(a2aclient.Config{PreferredTransports: []a2a.TransportProtocol{a2a.TransportProtocol(command.Binding)}}),
		a2aclient.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
	)
	if err != nil {
		return nil, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	name := fmt.Sprintf("c%d", len(c.known)+1)
	c.known[name] = client
	return map[string]any{"client": name, "card": card}, nil
}

func (c *clients) of(command lines.Command) *a2aclient.Client {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.known[command.Client]
}

func (c *clients) send(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	params, err := sendParams(command)
	if err != nil {
		return nil, err
	}
	waits := command.Waits()
	params.Config = &a2a.MessageSendConfig{Blocking: &waits}
	return c.of(command).SendMessage(ctx, params)
}

func (c *clients) stream(ctx context.Context, command lines.Command, emit lines.Emit) (any, error) {
	params, err := sendParams(command)
	if err != nil {
		return nil, err
	}
	return nil, emitAll(c.of(command).SendStreamingMessage(ctx, params), emit)
}

func (c *clients) get(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).GetTask(ctx, &a2a.TaskQueryParams{ID: a2a.TaskID(command.TaskID)})
}

func (c *clients) cancel(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).CancelTask(ctx, &a2a.TaskIDParams{ID: a2a.TaskID(command.TaskID)})
}

func (c *clients) subscribe(ctx context.Context, command lines.Command, emit lines.Emit) (any, error) {
	params := &a2a.TaskIDParams{ID: a2a.TaskID(command.TaskID)}
	return nil, emitAll(c.of(command).ResubscribeToTask(ctx, params), emit)
}

func (c *clients) createPush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	config := a2a.PushConfig{ID: command.ConfigID, URL: command.URL, Token: "interop"}
	return c.of(command).SetTaskPushConfig(ctx, &a2a.TaskPushConfig{TaskID: a2a.TaskID(command.TaskID), Config: config})
}

func (c *clients) getPush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	params := &a2a.GetTaskPushConfigParams{TaskID: a2a.TaskID(command.TaskID), ConfigID: command.ConfigID}
	return c.of(command).GetTaskPushConfig(ctx, params)
}

func (c *clients) listPush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	configs, err := c.of(command).ListTaskPushConfig(ctx, &a2a.ListTaskPushConfigParams{TaskID: a2a.TaskID(command.TaskID)})
	if err != nil {
		return nil, err
	}
	return map[string]any{"configs": configs}, nil
}

func (c *clients) deletePush(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	params := &a2a.DeleteTaskPushConfigParams{TaskID: a2a.TaskID(command.TaskID), ConfigID: command.ConfigID}
	return nil, c.of(command).DeleteTaskPushConfig(ctx, params)
}

func (c *clients) extendedCard(ctx context.Context, command lines.Command, _ lines.Emit) (any, error) {
	return c.of(command).GetAgentCard(ctx)
}

func sendParams(command lines.Command) (*a2a.MessageSendParams, error) {
	var message a2a.Message
	if err := json.Unmarshal(command.Message, &message); err != nil {
		return nil, err
	}
	return &a2a.MessageSendParams{Message: &message}, nil
}

func emitAll(events iter.Seq2[a2a.Event, error], emit lines.Emit) error {
	for event, err := range events {
		if err != nil {
			return err
		}
		emit(event)
	}
	return nil
}
