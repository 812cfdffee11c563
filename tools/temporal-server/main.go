// Command temporal is Temporal's own server with TLS, for the roles of Slipway.
package main

import (
	"log"
	"os"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/temporal"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: temporal-server CONFIG.yaml")
	}
	server, err := temporal.NewServer(
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithServerConfigFilePath(os.Args[1]),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return certificates{} }),
		temporal.WithAuthorizer(roles{}),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Start(); err != nil {
		log.Fatal(err)
	}
}
